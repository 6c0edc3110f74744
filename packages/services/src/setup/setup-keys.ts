/** Keys of the Setting table that the first run uses. */
export const SETUP_TOKEN_KEY = "setup-token-hash";

/** Its unique key decides which of several racing first runs creates the administrator. */
export const FIRST_ADMIN_KEY = "first-admin";
