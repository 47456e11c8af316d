/** What each statement of an abstract program does, by its name; `machine` is an Oracle, in the middle of a frame. */
import { Delegated, Exception } from './errors.mjs';

/** What is executed is counted beside: constants of `spend` are numbers of instructions, as encode.mjs makes them. */
function* take(machine, frame, type, closure, index) {
  machine.spend(frame, 1);
  const value = yield* machine.callFrom(frame, closure, type === 'F' ? frame.number : undefined, index);
  machine.spend(frame, type === 'V' ? 0 : 1);
  if (type === 'F') frame.number = value;
}

/** The argument of a call, if it has one, which comes before what is called. */
const spendArgument = (machine, frame, type) => machine.spend(frame, type === 'F' ? 1 : 0);

const BIT_OF_NUMBER = 3;

/** What a statement leads to: {value} or {tail} where the function ends, undefined where it goes on. */
export const STATEMENTS = {
  *number(machine, frame, { by }) {
    machine.spend(frame, 6);
    frame.number = (Math.imul(frame.number, 31) + by) | 0;
  },

  *call(machine, frame, { callee }) {
    const closure = frame.instance.functions[callee];
    spendArgument(machine, frame, closure.type);
    yield* take(machine, frame, closure.type, closure, callee);
  },

  *indirect(machine, frame, how) {
    spendArgument(machine, frame, how.type);
    yield* take(machine, frame, how.type, yield* machine.target(frame, how));
  },

  *byReference(machine, frame, how) {
    spendArgument(machine, frame, how.type);
    yield* take(machine, frame, how.type, yield* machine.target(frame, how));
  },

  *tail(machine, frame, { how }) {
    spendArgument(machine, frame, frame.made.type);
    const tail = yield* machine.target(frame, how);
    machine.spend(frame, 1);
    return { tail, argument: frame.made.type === 'F' ? frame.number : undefined };
  },

  *give(machine, frame, { callee, reference, to }) {
    const given = yield* machine.reference(frame, reference);
    machine.spend(frame, 1);
    const got = yield* machine.callFrom(frame, frame.instance.functions[callee], given, callee);
    machine.spend(frame, 1);
    if (to >= 0) frame.instance.globals[to] = got;
  },

  *tableSet(machine, frame, { index, reference }) {
    machine.spend(frame, 1);
    frame.instance.table[index] = yield* machine.reference(frame, reference);
    machine.spend(frame, 1);
  },

  *globalSet(machine, frame, { global, reference }) {
    frame.instance.globals[global] = yield* machine.reference(frame, reference);
    machine.spend(frame, 1);
  },

  *throw(machine, frame, { tag, reference }) {
    const payload = tag === 0 ? frame.number : yield* machine.reference(frame, reference);
    machine.spend(frame, tag === 0 ? 2 : 1);
    throw new Exception(tag, payload);
  },

  *trap(machine, frame) {
    machine.trap(frame);
  },

  *return(machine, frame) {
    const value = yield* machine.result(frame);
    machine.spend(frame, 1);
    return { value, returns: true };
  },

  *leave(machine, frame) {
    const value = yield* machine.result(frame);
    machine.spend(frame, 1);
    return { value };
  },

  *leaveIf(machine, frame, { bit }) {
    const value = yield* machine.result(frame);
    machine.spend(frame, BIT_OF_NUMBER + 1);
    if (frame.number & (1 << bit)) return { value };
    machine.spend(frame, frame.made.type === 'V' ? 0 : 1);
    return undefined;
  },

  *if(machine, frame, { bit = 0, then, else: otherwise }) {
    machine.spend(frame, BIT_OF_NUMBER + 1);
    return yield* machine.statements(frame, frame.number & (1 << bit) ? then : otherwise);
  },

  *loop(machine, frame, { count, body }) {
    machine.spend(frame, 3);
    for (let i = 0; i < count; i++) {
      const end = yield* machine.statements(frame, body);
      if (end) return end;
      machine.spend(frame, 5);
    }
    return undefined;
  },

  *try(machine, frame, made) {
    const { frames } = machine.stack;
    const depth = frames.length;
    const { isLegacy } = frame.instance.module;
    const hasBlocks = !made.toFunction && !isLegacy;
    machine.spend(frame, hasBlocks ? 2 + made.catches.length : 1);
    try {
      const end = yield* machine.statements(frame, made.body);
      if (!end && hasBlocks) machine.spend(frame, 1);
      return end;
    } catch (error) {
      frames.length = depth;
      if (made.delegates && !(error instanceof Delegated)) throw new Delegated(frame, error);
      const handler = made.catches.find(({ kind }) => machine.catches(kind, error));
      const endsFunction = made.toFunction && machine.catches(0, error);
      if (!handler && !endsFunction) throw error;
      frame.instance.slots.land(frame);
      if (endsFunction) return { value: error.payload };
      const keepsException = hasBlocks && handler.kind !== 1 && made.catches.some(({ again }) => again);
      machine.spend(frame, (handler.kind === 'all' ? 0 : 1) + keepsException);
      if (handler.kind === 0) frame.number = error.payload;
      if (handler.kind === 1 && handler.keeps >= 0) frame.instance.globals[handler.keeps] = error.payload;
      const end = yield* machine.statements(frame, handler.body);
      if (end) return end;
      if (isLegacy && handler.again) machine.spend(frame, 1);
      else if (hasBlocks) machine.spend(frame, keepsException ? 2 : 1);
      if (isLegacy ? handler.again : keepsException) throw error;
      return undefined;
    }
  },
};
