/** The rooms that a record passes through on its way into the store. Their tests have their own process. */
export const recordRooms = ['http', 'intake', 'journal', 'loader'];
