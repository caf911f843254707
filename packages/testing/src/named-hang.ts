/** For properties that wait for something: one that waits for ever ends before its test is given up, and is named with its seed. */
export const NAMED_HANG = { interruptAfterTimeLimit: 150_000, markInterruptAsFailure: true } as const;
