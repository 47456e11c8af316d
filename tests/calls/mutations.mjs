/**
 * What keeps the embedded form's slot safe, taken away one piece at a time: {name, file, from, to}, where `from` is found
 * once in the file. Each must make some of the programs that scripts/calls.sh makes in CI differ. That the runtime does not
 * trust own slots matters only where the stack runs out between a caller and its callee: runtime/embedded.test.mjs has that.
 */
const SURVEY = 'src/hooks/embedded/survey.c';
const BODY = 'src/hooks/embedded/body.c';
const TREE = 'src/runtime/embedded/tree.c';
const GUARD = 'src/js/engine/guard.mjs';
const LINKED = 'src/hooks/linked/linked_body.c';

export const MUTATIONS = [
  // 1: tail calls
  { name: '1: tail-called functions restore no slot', file: SURVEY, from: '| WI_CALLEE_TAIL_CALLED |\n', to: '|\n' },
  {
    name: '1: functions tail-called by reference restore no slot',
    file: SURVEY,
    from: 's->embed->tail_calls_by_reference |= callee == WI_NO_FUNCTION;',
    to: '',
  },
  // 2: references that leave
  {
    name: '2: references read from tables and elements do not leave',
    file: SURVEY,
    from: 's->embed->references_leave |= s->scan->reads_references;',
    to: '',
  },
  {
    name: '2: references in globals and tables do not leave',
    file: SURVEY,
    from: 's->embed->references_leave |= is_read && s->scan->sites_count > 0;',
    to: '(void)is_read;',
  },
  {
    name: '2: references in bodies do not leave',
    file: SURVEY,
    from: 'set_flag(s, site->value, WI_CALLEE_REFERENCED);\n    s->embed->references_leave = true;',
    to: 'set_flag(s, site->value, WI_CALLEE_REFERENCED);',
  },
  // 3: exceptions that cross instances
  { name: '3: the guard restores the called instance only', file: GUARD, from: 'wasLinked && instances.size > 1 ? everySlot : slots', to: 'slots' },
  // 4: hosts that restore nothing
  {
    name: '4: the runtime trusts the word after a slot',
    file: TREE,
    from: '  return is_second_word(next) ? embed_owner_in(next) : 0;\n',
    to: '  return embed_owner_in(next);\n',
  },
  { name: '4: functions do not take the slot', file: BODY, from: '  if (b->takes)\n    put_root_slot(b);', to: '' },
  {
    name: '4: the slot of an import stays live',
    file: BODY,
    from: '  put_root_slot(b);\n  wi_edits_end(b->edits);',
    to: '  wi_edits_end(b->edits);',
  },
  // 5: tasks
  { name: '5: tasks keep the slot of who started them', file: GUARD, from: 'slot | FOR_TASK', to: 'slot' },
  {
    name: '5: the slot of a task is never released',
    file: TREE,
    from: 'for_task ? live_owner(slot) : embed_configuration()->root);',
    to: 'live_owner(slot));',
  },
  {
    name: '5: tasks of imports get the slot of who exports them, too',
    file: GUARD,
    from: 'const value = own[name];',
    to: 'const value = own[name]; if (known.has(value)) known.get(value).slots = slots;',
  },
  { name: '5: waiting tasks leave the slot', file: GUARD, from: 'for (const slots of instances) slots.set(slots.rest);', to: '' },
  // 6: functions that JavaScript gets elsewhere
  { name: '6: functions in globals are not guarded', file: GUARD, from: 'return receive(value.get.call(this));', to: 'return value.get.call(this);' },
  { name: '6: functions in tables are not guarded', file: GUARD, from: "patchGetter(target.Table?.prototype, 'get');", to: '' },
  { name: '6: functions in exceptions are not guarded', file: GUARD, from: "patchGetter(target.Exception?.prototype, 'getArg');", to: '' },
  {
    name: '6: results are not guarded',
    file: GUARD,
    from: 'return isFunction(result) || Array.isArray(result) ? receive(result) : result;',
    to: 'return result;',
  },
  { name: '6: arguments of imports are not guarded', file: GUARD, from: 'call.apply(this, args.map(receive))', to: 'call.apply(this, args)' },
  // the linked form, and instructions
  {
    name: 'linked: exceptions leave frames open',
    file: LINKED,
    from: 'case WI_SITE_LANDING_PAD: insert(b, site->offset, put_landing_pad); break;',
    to: 'case WI_SITE_LANDING_PAD: (void)put_landing_pad; break;',
  },
  {
    name: 'instructions before a throw are lost',
    file: BODY,
    from: 'wi_edits_begin(b->edits, site->offset, 0);\n  put_flush_before_throw(b, tally);\n  wi_edits_end(b->edits);\n}\n\nstatic void edit_branch',
    to: 'wi_edits_begin(b->edits, site->offset, 0);\n  (void)tally;\n  wi_edits_end(b->edits);\n}\n\nstatic void edit_branch',
  },
];
