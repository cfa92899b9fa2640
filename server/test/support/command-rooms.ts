/** The rooms that start and operate a server. Their tests have their own process, because they take long. */
export const commandRooms = ['commands', 'demo', 'node'];
