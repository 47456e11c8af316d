/** Calls both functions of a program of the folder leaks in turns: `culprit` as often as its first argument says. */
export function takeTurns(tidy, culprit) {
  const planted = Number(process.argv[2]);
  for (let i = 0; i < 200; i++) {
    tidy(i);
    if (i < planted) culprit(i);
  }
}
