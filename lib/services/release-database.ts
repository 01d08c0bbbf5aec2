import { closeClients } from '../../db/client.ts';

/** Lets go of the database when the process is stopped: what runs may end, nothing new begins. */
export const releaseDatabase = (): Promise<void> => closeClients();
