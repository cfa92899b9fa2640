import { closeOnSignals } from '../client/close-on-signals.ts';
import { Trackside } from '../client/trackside-on-node.ts';
import { makeMetrics, testKey } from '../record/test-metrics.ts';
import { keepOnDisk } from './keep-on-disk.ts';

/** A customer's program, started as its own process. It tracks, says so, and ends as the task says. */
type Task = {
  url: string;
  folder?: string;
  name: string;
  records: number;
  ending: 'end' | 'exit' | 'flush-and-exit' | 'stay' | 'close-on-signals';
  clients?: number;
  /** How much later than now the program runs, by its own clock. */
  laterMs?: number;
  /** Whether the program is told that it is PID 1, as in a container. */
  isPid1?: boolean;
};

const task: Task = JSON.parse(process.argv[2]!);
const { laterMs = 0 } = task;
const now = Date.now;
Date.now = () => now() + laterMs;
if (task.isPid1 === true) {
  Object.defineProperty(process, 'pid', { value: 1 });
  process.kill = () => {
    throw new Error('the kernel would have ignored the signal');
  };
}
const queue = () => (task.folder === undefined ? {} : { queue: { disk: keepOnDisk(task.folder) } });
const clients = Array.from(
  { length: task.clients ?? 1 },
  () => new Trackside({ url: task.url, apiKey: testKey, ...queue() }),
);
for (let index = 0; index < task.records; index += 1) {
  for (const trackside of clients) {
    trackside.trackPageView(makeMetrics(`https://shop.example/${task.name}/${index}`));
  }
}
if (task.ending === 'exit') process.exit();
if (task.ending === 'close-on-signals') for (const trackside of clients) closeOnSignals(trackside);
if (task.ending !== 'end') {
  // Waits until the records are written, and stays alive from here on.
  await Promise.all(clients.map((trackside) => trackside.flush({ withinMs: 0 })));
  if (task.ending === 'flush-and-exit') process.exit();
  setInterval(() => {}, 1000);
  console.log('tracked');
}
