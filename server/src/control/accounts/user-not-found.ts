import { ControlError } from '../database/control-error.ts';

export function userNotFound(id: number): ControlError {
  return new ControlError(
    'not-found',
    `User ${id}: expected the id of a user, and there is none with this id. See: trackside user list`,
  );
}
