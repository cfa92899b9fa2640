import { Socket } from 'node:net';

/** What Node keeps inside a socket. It is what another process can be given. */
type Handle = { readStop(): number };
type Inside = Socket & { _handle: Handle | null };

/**
 * Gives a paused connection to another process, with the bytes that were already read. Nothing may be read from
 * it here after that, because the other process would miss it.
 */
export function giveAway(
  socket: Socket,
  give: (bytes: Buffer, handle: unknown, sent: () => void) => void,
): void {
  socket.on('error', () => socket.destroy());
  // An earlier answer may still be on its way.
  socket.write('', (error) => {
    const handle = (socket as Inside)._handle;
    if (error || handle === null || socket.destroyed) {
      socket.destroy();
      return;
    }
    // In this order, because taking bytes out of the socket makes it read on.
    const bytes: Buffer = socket.read() ?? Buffer.alloc(0);
    handle.readStop();
    // The other process has a copy of the handle by then, so this closes only ours.
    give(bytes, handle, () => socket.destroy());
  });
}

/** Makes a connection of what another process gave. */
export function takeIn(bytes: Uint8Array, handle: unknown): Socket {
  const options = { handle, allowHalfOpen: true };
  const socket = new Socket(options as ConstructorParameters<typeof Socket>[0]);
  socket.setNoDelay(true);
  socket.pause();
  if (bytes.length > 0) socket.unshift(bytes);
  return socket;
}

/** Returns what a server's port is to another process, which can accept connections from it too. */
export function portOf(server: object): unknown {
  return (server as { _handle?: unknown })._handle;
}
