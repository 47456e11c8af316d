// The legend of colours: the parts of the program, largest first. Clicking one shows only its functions.
import { formatQuantity, formatShare } from './units.mjs';

const MAX_GROUPS = 12;

function entry(tag, color, text, isStriped) {
  const item = document.createElement(tag);
  const patch = document.createElement('i');
  patch.style.setProperty('background', color);
  patch.classList.toggle('striped', isStriped);
  item.append(patch, text);
  return item;
}

export class Legend {
  /** `choose(name)` shows only that group; null: all groups. */
  constructor(element, choose) {
    this.element = element;
    this.choose = choose;
    this.isOpen = false; // shows all parts
  }

  showGroups(groups, sums, whole, chosen) {
    const shown = groups.map((group) => ({ ...group, self: sums.get(group.name) ?? 0 }))
      .filter(({ self, name }) => self > 0 || name === chosen).sort((a, b) => b.self - a.self);
    const most = this.isOpen ? shown.length : MAX_GROUPS;
    const rest = shown.slice(most).reduce((sum, { self }) => sum + self, 0);
    this.element.replaceChildren(...shown.slice(0, most).map(({ name, text, color, self, kind }) => {
      const button = entry('button', color, `${text} ${formatShare(self, whole)}`, kind === 'unnamed');
      button.type = 'button';
      button.title = `Only ${name}`;
      button.setAttribute('aria-pressed', name === chosen);
      button.addEventListener('click', () => this.choose(name === chosen ? null : name));
      return button;
    }));
    if (shown.length <= most) return;
    const more = Object.assign(document.createElement('button'), { type: 'button',
      textContent: `${formatQuantity(shown.length - most, 'more part')} with ${formatShare(rest, whole)}` });
    more.addEventListener('click', () => {
      this.isOpen = true;
      this.showGroups(groups, sums, whole, chosen);
    });
    this.element.append(more);
  }

  /** `entries`: [color, text] each; `undrawn`: {count, total} of frames with a total in the other profile only. */
  showChanges(entries, undrawn, whole) {
    this.element.replaceChildren(...entries.map(([color, text]) => entry('span', color, text, false)));
    if (undrawn.count > 0)
      this.element.append(`Only before, so not drawn: ${formatQuantity(undrawn.count, 'frame')} with ` +
        `${formatShare(undrawn.total, whole)} of the other profile.`);
  }
}
