import { ControlError } from '../database/control-error.ts';

export function userNotFound(id: number): ControlError {
  return new ControlError(
    'not-found',
    `User ${id}: expected the id of a user, got one that does not exist. ` +
      'To see all users, run: trackside user list',
  );
}
