import { type Address, address } from '@solana/kit';

export const MARINADE_PROGRAM: Address = address('MarBmsSgKXdrN1egZf5sqe1TMai9K1rChYNDJgjq7aD');
/** The one state of Marinade's pool, which issues mSOL. */
export const MARINADE_STATE: Address = address('8szGkuLTAux9XMgZ2vtY39jVSowEcpBfFfD8hXSEqdGC');
export const MSOL_MINT: Address = address('mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So');
