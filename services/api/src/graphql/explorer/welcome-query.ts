/** What the explorer shows to who opens it first. */
export const WELCOME_QUERY = `# The book on the left has every field, with its unit.
query LargestBanks {
  banks(first: 5, orderBy: depositsUsd) {
    nodes {
      symbol
      venue
      size {
        depositsUsd
      }
      rates {
        totalDepositApyPct
        totalBorrowApyPct
      }
    }
    totalCount
  }
}
`;
