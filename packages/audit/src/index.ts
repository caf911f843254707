export { auditAccount } from './audit-account.ts';
export { type AuditedGroup, auditBank } from './audit-bank.ts';
export { type AuditBook, type AuditDifference, type AuditRow, createAuditBook } from './audit-book.ts';
export { type AuditedPrice, auditPrice } from './audit-price.ts';
export type { AuditedAccount, BankStates } from './audited-account.ts';
export { type Comparison, differs, FIGURES, type Figure } from './comparison.ts';
