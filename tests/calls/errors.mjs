/** How functions of abstract programs end other than by returning. */

export class Trap {}
export class Exception {
  constructor(tag, payload) {
    Object.assign(this, { tag, payload });
  }
}
export class HostError {}
/** An exception past the handlers of the frame that delegates it. */
export class Delegated {
  constructor(frame, error) {
    Object.assign(this, { frame, error });
  }
}
