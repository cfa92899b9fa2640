/** The rooms that a record passes on its way into the store. Their tests have a process of their own. */
export const recordRooms = ['http', 'intake', 'journal', 'loader'];
