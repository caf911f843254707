/** What the explorer shows to who opens it first. */
export const WELCOME_QUERY = `# What the API reads, in one query. Fields and their units: the book on the left.
{
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
