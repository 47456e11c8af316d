/**
 * What a module knows of where the next call belongs, as instance.slot has it: {node}, or UNSURE where nobody knows. The
 * embedded form has a slot; the linked one has a stack of frames in its runtime, where it does not matter which node it is.
 */
export const UNSURE = null;

/** A slot, which a frame sets before each call, a function that is entered takes, and one that returns puts back. */
class Slot {
  leadsTo({ slot }, context) {
    return slot !== UNSURE && slot.node === context;
  }

  /** A call by a frame with hooks. `imported`: the import that it calls, or -1. */
  prepare(frame, imported) {
    const { instance } = frame;
    frame.before = instance.slot;
    instance.slot = frame.node ? { node: frame.node } : UNSURE;
    if (imported < 0 || !instance.config.hostCalls) return;
    if (frame.node) {
      frame.outer = frame.node;
      frame.node = instance.enter(frame.node, imported);
      instance.slot = { node: frame.node };
    } else instance.loosen(imported);
  }

  /** The call has returned. */
  resume(frame, imported) {
    if (frame.outer) frame.node = frame.outer;
    frame.outer = null;
    if (imported >= 0) frame.instance.slot = { node: frame.instance.root };
  }

  /** A function with hooks is entered; `before` is what the slot was when its caller in the instance set it. */
  enter({ instance, index }, before) {
    if (instance.slot?.isTask) instance.slot.node = UNSURE; // another task may get it, which then leaves it to the root
    const leavesSlot = instance.leaves.has(index) && before?.node !== instance.root;
    instance.slot = leavesSlot ? UNSURE : { node: instance.root };
  }

  /** Only where a frame with hooks goes on may the slot be left anyhow: it sets its own before it calls. */
  leave({ instance, entry }, caller) {
    instance.slot = caller?.instance === instance && caller.isHooked ? UNSURE : entry;
  }

  /** Another function takes the place of one with hooks. */
  replace({ instance, entry }) {
    instance.slot = entry;
  }

  /** A frame with hooks ends by an exception. */
  end() {}

  /** Frames have ended, and this one goes on. Without hooks it puts the slot back. */
  land(frame) {
    if (frame.outer) frame.node = frame.outer;
    frame.outer = null;
    frame.instance.slot = frame.isHooked ? UNSURE : frame.entry;
  }

  /** A frame without hooks returns by way of its end, where exceptions land, too. */
  passEnd({ instance, entry }) {
    instance.slot = entry;
  }
}

/** A stack, unsure while it has frames that are gone. Frames that catch, or have called an import, close those. */
class Stack {
  leadsTo({ slot }) {
    return slot !== UNSURE;
  }

  prepare() {}
  enter() {}
  leave() {}
  replace() {}

  resume(frame, imported) {
    if (imported >= 0) this.#close(frame);
  }

  passEnd() {}

  end({ instance }) {
    instance.slot = UNSURE;
  }

  land(frame) {
    if (frame.isHooked) this.#close(frame);
  }

  #close({ instance, node }) {
    instance.slot = node ? { node } : UNSURE;
  }
}

export const slotsOf = ({ isLinked }) => (isLinked ? new Stack() : new Slot());
