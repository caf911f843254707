<?php

declare(strict_types=1);

namespace Lending;

/** No answer, none in time, or one that is not the service's: a proxy's page, half a body. */
final class UnreachableException extends LendingException
{
}
