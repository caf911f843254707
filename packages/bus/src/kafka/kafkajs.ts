import kafkajs from 'kafkajs';

/** kafkajs is CommonJS, and Node cannot see the names of its exports from outside; this is the one place that takes them. */
export const { AssignerProtocol, ConfigResourceTypes, Kafka, logLevel, PartitionAssigners, Partitioners } = kafkajs;
