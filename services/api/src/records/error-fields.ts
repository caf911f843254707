import { z } from 'zod';

/** The body of every error at every door. */
export const wireErrorFields = {
  error: z.string().describe('What was wrong — what is allowed — the next call'),
  code: z.string().describe('Stable code; its HTTP status is fixed'),
  details: z.record(z.string(), z.unknown()).describe('Code-specific facts'),
  retryable: z.boolean().describe('True when the same call may succeed later'),
  retry_after_s: z.int().optional().describe('Seconds to wait before it'),
  docs: z.string().describe('Page about the code: a URL; over MCP a resource'),
};
