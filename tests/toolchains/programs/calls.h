/* Kept apart by every optimiser, so that the profile can be held to what the source says. */
#define KEPT extern "C" __attribute__((noinline, used))
