export { auditAccount } from './audit-account.ts';
export { auditBank } from './audit-bank.ts';
export { type AuditBook, type AuditDifference, type AuditRow, createAuditBook } from './audit-book.ts';
export { type AuditedPrice, auditPrice } from './audit-price.ts';
export type { AuditedAccount, BankStates } from './audited-account.ts';
export { type AuditedGroup, type Comparison, differs, FIGURES, type Figure } from './comparison.ts';
export { auditFacts, recallAudits, type StoredAudit } from './stored-audit.ts';
