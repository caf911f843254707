import fc from 'fast-check';

// The same random cases for every mutant and every count, so that two counts differ by what the tests notice and by nothing else.
fc.configureGlobal({ seed: 20_261_123 });
