/** The seed of the tests' random inputs where MNEME_TEST_SEED names no other. */
export const defaultSeed = 20_260_314;
