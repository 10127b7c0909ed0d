/** Where all local nodes listen: nobody else on the network may reach them. */
export const host = '127.0.0.1'
