/** The migration that this build was made for. A constant, because a bundle has no folder to look into. */
export const NEWEST_MIGRATION = '0015_survived_sends.sql';
