-- Whoever holds a venue's receipt (cToken, fToken) holds its reserve's tokens, as many as the exchange rate says.
alter table reserve add column receipt_mint text;
