/** The service and its key, which only the server has. */
export const url = process.env['AGIO_URL'] ?? 'http://127.0.0.1:3000'
export const apiKey = process.env['AGIO_API_KEY'] ?? 'local-key'
