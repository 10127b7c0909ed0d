/**
 * Texts for users that explain an error by its details. A page can load this entry when the first error occurs.
 *
 * @module
 */

export { explainError, type ErrorToExplain, type Explanation } from './messages/explainError.ts'
