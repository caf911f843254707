export { inChildSpan, inSpan, isTracing, type NewSpan, setTracing } from './in-span.ts';
export { inTraceOf, keepTrace, linkOf, traceHeaders } from './trace-headers.ts';
