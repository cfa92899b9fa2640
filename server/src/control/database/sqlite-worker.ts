/** The thread that owns the control database, because SQLite syncs and waits on the thread that calls it. */
import { workerData } from 'node:worker_threads';
import { answerOnThread } from '../../concurrency/answer-on-thread.ts';
import { openConnection, type SqliteResult, type SqliteStatement } from './open-connection.ts';

let connection: ReturnType<typeof openConnection>;
answerOnThread<SqliteStatement, SqliteResult>({
  open: () => {
    connection = openConnection(workerData.path);
  },
  answer: (statement) => connection.execute(statement),
  close: () => connection.close(),
});
