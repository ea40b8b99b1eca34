/// DiSNI's own way to post and poll, beside which provider-ffm is set.
package io.rdmanet.bench.disni;
