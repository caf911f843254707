<?php

declare(strict_types=1);

namespace Lending;

/** What everything that goes wrong here extends; arguments of the wrong kind are an \InvalidArgumentException or a \TypeError. */
class LendingException extends \RuntimeException
{
}
