import pg from 'pg';

/** The messages that nodes send each other through PostgreSQL when something has changed. */
export const changeChannel = 'trackside_control';

const reconnectMs = 1_000;

/**
 * Listens on a separate connection, which is reopened when it is lost. Whatever was missed in the meantime
 * counts as one change.
 */
export function listenForChanges(options: pg.ClientConfig, onChange: () => void): { stop(): Promise<void> } {
  let isStopped = false;
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let opening = open();

  async function open(): Promise<void> {
    const opened = new pg.Client(options);
    client = opened;
    const lose = () => {
      if (client !== opened) return;
      client = undefined;
      opened.end().catch(() => {});
      if (!isStopped)
        timer = setTimeout(() => {
          opening = open();
        }, reconnectMs).unref();
    };
    opened.on('error', lose);
    opened.on('end', lose);
    opened.on('notification', onChange);
    try {
      await opened.connect();
      await opened.query(`listen ${changeChannel}`);
      onChange();
    } catch {
      // The node reads the database from time to time anyway, and reports what is wrong with it.
      lose();
    }
  }

  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await opening;
      const last = client;
      client = undefined;
      await last?.end().catch(() => {});
    },
  };
}
