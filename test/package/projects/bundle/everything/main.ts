import * as everything from '@agio/sdk'

document.body.textContent = Object.keys(everything).join()
