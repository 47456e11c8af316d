/** What each statement of an abstract program does, by its name; `machine` is an Oracle, in the middle of a frame. */
import { Delegated, Exception, Trap } from './errors.mjs';

function* take(machine, frame, type, closure, index) {
  const value = yield* machine.callFrom(frame, closure, type === 'F' ? frame.number : undefined, index);
  if (type === 'F') frame.number = value;
}

/** What a statement leads to: {value} or {tail} where the function ends, undefined where it goes on. */
export const STATEMENTS = {
  *number(machine, frame, { by }) {
    frame.number = (Math.imul(frame.number, 31) + by) | 0;
  },

  *call(machine, frame, { callee }) {
    const closure = frame.instance.functions[callee];
    yield* take(machine, frame, closure.type, closure, callee);
  },

  *indirect(machine, frame, how) {
    yield* take(machine, frame, how.type, yield* machine.target(frame, how));
  },

  *byReference(machine, frame, how) {
    yield* take(machine, frame, how.type, yield* machine.target(frame, how));
  },

  *tail(machine, frame, { how }) {
    return { tail: yield* machine.target(frame, how), argument: frame.made.type === 'F' ? frame.number : undefined };
  },

  *give(machine, frame, { callee, reference, to }) {
    const given = yield* machine.reference(frame, reference);
    const got = yield* machine.callFrom(frame, frame.instance.functions[callee], given, callee);
    if (to >= 0) frame.instance.globals[to] = got;
  },

  *tableSet(machine, frame, { index, reference }) {
    frame.instance.table[index] = yield* machine.reference(frame, reference);
  },

  *globalSet(machine, frame, { global, reference }) {
    frame.instance.globals[global] = yield* machine.reference(frame, reference);
  },

  *throw(machine, frame, { tag, reference }) {
    throw new Exception(tag, tag === 0 ? frame.number : yield* machine.reference(frame, reference));
  },

  *trap(machine) {
    throw new Trap();
  },

  *return(machine, frame) {
    return { value: yield* machine.result(frame) };
  },

  *leave(machine, frame) {
    return { value: yield* machine.result(frame) };
  },

  *leaveIf(machine, frame, { bit }) {
    const value = yield* machine.result(frame);
    return frame.number & (1 << bit) ? { value } : undefined;
  },

  *if(machine, frame, { bit = 0, then, else: otherwise }) {
    return yield* machine.statements(frame, frame.number & (1 << bit) ? then : otherwise);
  },

  *loop(machine, frame, { count, body }) {
    for (let i = 0; i < count; i++) {
      const end = yield* machine.statements(frame, body);
      if (end) return end;
    }
    return undefined;
  },

  *try(machine, frame, made) {
    const { frames } = machine.stack;
    const depth = frames.length;
    try {
      return yield* machine.statements(frame, made.body);
    } catch (error) {
      frames.length = depth;
      if (made.delegates && !(error instanceof Delegated)) throw new Delegated(frame, error);
      const handler = made.catches.find(({ kind }) => machine.catches(kind, error));
      const endsFunction = made.toFunction && machine.catches(0, error);
      if (!handler && !endsFunction) throw error;
      machine.land(frame);
      if (endsFunction) return { value: error.payload };
      if (handler.kind === 0) frame.number = error.payload;
      if (handler.kind === 1 && handler.keeps >= 0) frame.instance.globals[handler.keeps] = error.payload;
      const end = yield* machine.statements(frame, handler.body);
      if (!end && handler.again && (handler.kind !== 1 || frame.instance.module.isLegacy)) throw error;
      return end;
    }
  },
};
