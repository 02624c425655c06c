/** The version of the format of exports. Files of later versions are refused. */
export const archiveVersion = 1;
