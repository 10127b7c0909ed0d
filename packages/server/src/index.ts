export { type LocalHandler } from '@agio/api'
export { logLevels, readSettings } from './readSettings.ts'
export { type Settings } from './Settings.ts'
export { startServer, type RunningServer } from './startServer.ts'
