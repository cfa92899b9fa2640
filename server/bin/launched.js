// What an older Node starts in its place. If that process is gone, however it ended, this one stops as if it
// had been asked to. Otherwise it would go on alone, and keep every later start out of its data folder.
import { Socket } from 'node:net';

/** The end of a pipe that is closed by the system when the launcher ends. */
const launcherFd = 3;

const launcher = new Socket({ fd: launcherFd, readable: true, writable: false });
launcher.on('error', () => {});
launcher.once('close', () => process.kill(process.pid, 'SIGTERM'));
launcher.resume();
launcher.unref();
await import('./trackside.js');
