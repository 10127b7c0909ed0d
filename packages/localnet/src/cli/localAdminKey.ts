/** The admin key of the service beside local chains. Everyone knows it. */
export const localAdminKey = 'local-admin-key'
