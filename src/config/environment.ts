/** The environment variables. No other file reads them, so tests can pass their own. */
export const environment: NodeJS.ProcessEnv = process.env;
