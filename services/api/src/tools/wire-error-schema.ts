import { z } from 'zod';
import { wireErrorFields } from '#records/error-fields.ts';

/** The body of every error at every door. */
export const wireErrorSchema = z.strictObject(wireErrorFields);
