/** Set by the build and by the test runner, both from package.json. */
declare const MNEME_VERSION: string;

/** The version of this package. */
export const version: string = MNEME_VERSION;
