import { notFound } from 'next/navigation';
import { isServiceError } from '../../lib/errors.ts';

/** The result of a service; what does not exist, is not open to the caller, or was never an address of ours becomes the page that says so. */
export async function orNotFound<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isServiceError(error, 'not_found') || isServiceError(error, 'invalid')) notFound();
    throw error;
  }
}
