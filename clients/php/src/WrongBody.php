<?php

declare(strict_types=1);

namespace Trackside;

use RuntimeException;

/** What is wrong with what a page sent. The text is for its developer, and repeats no value. */
final class WrongBody extends RuntimeException
{
}
