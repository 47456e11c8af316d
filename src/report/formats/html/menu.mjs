// The menu of a frame, which a right click opens: a list of what can be done with it.

export class FrameMenu {
  /** `act(action)` does what was chosen, see page.html. */
  constructor(element, act) {
    this.element = element;
    element.addEventListener('click', ({ target }) => {
      element.hidePopover();
      act(target.dataset.action);
    });
  }

  /** Opens beside a point of the window. */
  open({ clientX, clientY }) {
    const { element } = this;
    element.showPopover();
    const { width, height } = element.getBoundingClientRect();
    element.style.setProperty('left', `${Math.min(clientX, innerWidth - width)}px`);
    element.style.setProperty('top', `${Math.min(clientY, innerHeight - height)}px`);
    element.querySelector('button').focus();
  }
}
