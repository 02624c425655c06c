/** The variables of this process. No other file reads them, so tests can give their own. */
export const environment: NodeJS.ProcessEnv = process.env;
