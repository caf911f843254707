import type { IntegrationVenue } from '@lending/domain';
import type { MarginfiErrorName } from '@lending/programs';

/** How the program itself names what belongs to a venue. */
interface IntegrationNames {
  /** The account's flag for indexers that tells of such a balance; null where it has none. */
  readonly indexerFlag: 'hasKamino' | 'hasDrift' | 'hasJuplend' | null;
  /** What is wrong when an account is not the bank's reserve, not what holds the bank's receipts, or the bank is no such bank. */
  readonly errors: Readonly<Record<'reserve' | 'position' | 'tag', MarginfiErrorName>>;
}

export const INTEGRATION_NAMES: Readonly<Record<IntegrationVenue, IntegrationNames>> = {
  kamino: {
    indexerFlag: 'hasKamino',
    errors: {
      reserve: 'InvalidKaminoReserve',
      position: 'InvalidKaminoObligation',
      tag: 'WrongAssetTagForKaminoInstructions',
    },
  },
  drift: {
    indexerFlag: 'hasDrift',
    errors: {
      reserve: 'InvalidDriftSpotMarket',
      position: 'InvalidDriftUser',
      tag: 'WrongBankAssetTagForDriftOperation',
    },
  },
  solend: {
    indexerFlag: null,
    errors: {
      reserve: 'InvalidSolendReserve',
      position: 'InvalidSolendObligation',
      tag: 'WrongBankAssetTagForSolendOperation',
    },
  },
  juplend: {
    indexerFlag: 'hasJuplend',
    errors: {
      reserve: 'InvalidJuplendLending',
      position: 'InvalidJuplendFTokenVault',
      tag: 'WrongBankAssetTagForJuplendOperation',
    },
  },
};
