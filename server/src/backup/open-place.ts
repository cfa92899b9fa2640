import { resolve } from 'node:path';
import { OperatorError } from '../operator-error.ts';
import type { BackupPlace } from './backup-place.ts';
import { openFolderPlace } from './folder-place.ts';
import { openS3Place, type S3Access } from './s3-place.ts';

/** The name of a place: a bucket with a prefix, or a folder with its whole path. */
export function namePlace(given: string): string {
  if (given.startsWith('s3://')) return given.replace(/\/+$/, '');
  if (given.trim() === '' || /^[^/]*:/.test(given))
    throw new OperatorError(
      `Expected a folder or s3://bucket/prefix, got "${given}". ` +
        'For a folder with a colon in its name, give its whole path.',
    );
  return resolve(given);
}

export function openPlace(name: string, s3: S3Access): BackupPlace {
  return name.startsWith('s3://') ? openS3Place(name, s3) : openFolderPlace(name);
}
