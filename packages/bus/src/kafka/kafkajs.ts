import kafkajs from 'kafkajs';

/** kafkajs is CommonJS, and Node cannot see the names of its exports from outside; this is the one place that takes them. */
export const { ConfigResourceTypes, Kafka, logLevel, Partitioners } = kafkajs;
