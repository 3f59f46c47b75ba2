(** * What kind of values terms have

    Found for terms over slots from what the schema says of tables. Refutation trees read comparisons of numbers as arithmetic, and
    of truth values as equivalences; so they have to know which is which. *)
From Tallystick.core Require Export Nodes Extremum Compile.

(** A value is of a kind, or NULL where that may be: whole numbers, numbers, truth values, or any. *)
Inductive sort := Wholes | Numbers | Truths | Any.
Record kinds := { sort_of : sort; may_be_null : bool }.
Definition any : kinds := {| sort_of := Any; may_be_null := true |}.
Definition never (s : sort) : kinds := {| sort_of := s; may_be_null := false |}.
Definition maybe (s : sort) : kinds := {| sort_of := s; may_be_null := true |}.
Definition whole_value (v : value) : bool := match v with Number q => if Qc_eq_dec q (whole (Qfloor (this q))) then true else false | _ => false end.
Definition of_sort (s : sort) (v : value) : bool := match s, v with
  | Any, _ => true | Wholes, Number _ => whole_value v | Numbers, Number _ => true | Truths, Truth _ => true | _, _ => false end.
Definition fits (k : kinds) (v : value) : bool := if is_null v then may_be_null k else of_sort (sort_of k) v.
Definition join_sort (s t : sort) : sort := match s, t with
  | Wholes, Wholes => Wholes | Truths, Truths => Truths | Wholes, Numbers | Numbers, Wholes | Numbers, Numbers => Numbers | _, _ => Any end.
Definition join (k l : kinds) : kinds := {| sort_of := join_sort (sort_of k) (sort_of l); may_be_null := may_be_null k || may_be_null l |}.
Fixpoint joins (k l : list kinds) : list kinds := match k, l with a :: k, b :: l => join a b :: joins k l | _, _ => [] end.
Definition column_kinds (c : column) : kinds := {| sort_of := match type c with Integers => Wholes | Decimals => Numbers | Core.Truths => Truths | _ => Any end; may_be_null := nullable c |}.
(** NULL is of every kind; what is joined with numbers stays a number. *)
Definition literal_kinds (v : value) : kinds := match v with
  | Null => maybe Wholes | Number _ => never (if whole_value v then Wholes else Numbers) | Truth _ => never Truths | _ => never Any end.
(** What a CASE without ELSE gives. *)
Definition when_kinds (a b : term) (k l : kinds) : kinds := match a, b with
  | Apply (Lit Null) Tn, _ => {| sort_of := sort_of l; may_be_null := true |}
  | _, Apply (Lit Null) Tn => {| sort_of := sort_of k; may_be_null := true |} | _, _ => join k l end.
Definition numeric_sort (s : sort) : bool := match s with Wholes | Numbers => true | _ => false end.
Definition is_whole (k : kinds) : bool := match sort_of k with Wholes | Truths => true | _ => false end.
Definition sum_of_kinds (k l : kinds) : kinds := {| sort_of := match sort_of k, sort_of l with Wholes, Wholes => Wholes | _, _ => Numbers end; may_be_null := true |}.
Definition arithmetic_kinds (k l : kinds) : kinds := {| sort_of := sort_of (sum_of_kinds k l);
  may_be_null := negb (numeric_sort (sort_of k) && numeric_sort (sort_of l)) || may_be_null k || may_be_null l |}.
Definition scalar_kinds (s : scalar) (ks : list kinds) : kinds := match s, ks with
  | (SPlus | STimes), [k; l] => arithmetic_kinds k l
  | SQuotient Exact, _ => maybe Numbers | SQuotient Down, _ => maybe Wholes
  | SCompare Same, [_; _] | SIsNull, [_] => never Truths
  | (SCompare _ | SBoth | SEither | SNegated), _ => maybe Truths
  | _, _ => any end.
Definition op_kinds (o : op) (ks : list kinds) : kinds := match o, ks with
  | Lit v, _ => literal_kinds v
  | (And | Or), _ | (Not | Known), [_] | IsSame, [_; _] => never Truths
  | Add, _ => never (if forallb is_whole ks then Wholes else Numbers)
  | Mul, [k; l] => never (if is_whole k && is_whole l then Wholes else Numbers)
  | Count_if, _ => never Wholes
  | Scalar s, _ => scalar_kinds s ks
  | _, _ => any end.
Definition kind_at (ks : list kinds) (c : nat) : kinds := nth c ks any.

Section Kinds.
  Variable s : schema.
  (** [g] has the kinds of the columns of each slot, the innermost first. *)
  Definition table_kinds (t : string) : list kinds := match find (fun p => String.eqb (fst p) t) s with Some p => map column_kinds (snd p) | None => [] end.
  Fixpoint kt (g : list (list kinds)) (t : term) : kinds := match t with
    | Cell i c => kind_at (nth i g []) c
    | Alike _ _ | Ex _ => never Truths
    | Apply o ts => match o, ts with
        | Ite, Tc _ (Tc a (Tc b Tn)) | Scalar SWhen, Tc _ (Tc a (Tc b Tn)) => when_kinds a b (kt g a) (kt g b)
        | _, _ => op_kinds o (kts g ts) end
    | Total b => never (if is_whole (kind_at (match kb g b with Some ks => ks | None => [] end) 0) then Wholes else Numbers)
    | Summary f b => let k := kind_at (match kb g b with Some ks => ks | None => [] end) 0 in match f with
        | Of Count => never Wholes
        | Of Sum => if numeric_sort (sort_of k) then maybe (sort_of k) else any
        | Of (OfBag _) => any
        | _ => {| sort_of := sort_of k; may_be_null := true |} end
    end
  with kts g ts : list kinds := match ts with Tn => [] | Tc t ts => kt g t :: kts g ts end
  with kb g b : option (list kinds) := match b with
    | Bn => None | Bc m Bn => Some (km g m)
    | Bc m b => Some (match kb g b with Some ks => joins (km g m) ks | None => km g m end) end
  with km g m : list kinds := match m with Take u m => km (ku g u :: g) m | Give _ h => kts g h end
  with ku g u : list kinds := match u with
    | Table t => table_kinds t
    | Support b => match kb g b with Some ks => ks | None => [] end
    | Block _ _ => [] end.

  Variables (w : world) (blocks : place -> list row -> list row) (named : string -> list value -> value).
  Hypothesis C : conforms s w.
  Notation mt := (mt w blocks named).
  Notation mts := (mts w blocks named).
  Notation mm := (mm w blocks named).
  Notation mb := (mb w blocks named).
  Notation ms := (ms w blocks named).
  Definition row_fits (ks : list kinds) (r : row) : Prop := forall c, fits (kind_at ks c) (nth c r Null) = true.
  Definition env_fits (g : list (list kinds)) (e : env) : Prop := forall i, row_fits (nth i g []) (e i).
  Lemma fits_any v : fits any v = true.
  Proof. unfold fits. now destruct (is_null v). Qed.
  Lemma row_fits_nil r : row_fits [] r.
  Proof. intros c. unfold kind_at. destruct c; apply fits_any. Qed.
  Lemma env_fits_push g e ks r : env_fits g e -> row_fits ks r -> env_fits (ks :: g) (push r e).
  Proof. intros G R [|i]; cbn; auto. Qed.
  Lemma join_sort_ok a b v : of_sort a v = true \/ of_sort b v = true -> of_sort (join_sort a b) v = true.
  Proof. destruct a, b, v; cbn; intuition congruence. Qed.
  Lemma join_ok a b v : fits a v = true \/ fits b v = true -> fits (join a b) v = true.
  Proof.
    unfold fits, join. cbn [sort_of may_be_null]. destruct (is_null v); [rewrite orb_true_iff; tauto|]. apply join_sort_ok.
  Qed.
  Lemma joins_ok r : forall k l, row_fits k r \/ row_fits l r -> row_fits (joins k l) r.
  Proof.
    assert (G : forall k l c v, fits (kind_at k c) v = true \/ fits (kind_at l c) v = true -> fits (kind_at (joins k l) c) v = true).
    { induction k as [|a k IH]; intros [|b l] c v H; cbn [joins]; try (unfold kind_at; destruct c; apply fits_any). destruct c as [|c]; cbn in *; [now apply join_ok|now apply IH]. }
    intros k l H c. apply G. destruct H as [H|H]; [left|right]; apply H.
  Qed.
  Lemma whole_is_whole z : whole_value (number z) = true.
  Proof.
    unfold whole_value, number. destruct (Qc_eq_dec (whole z) (whole (Qfloor (this (whole z))))) as [|D]; auto. exfalso. apply D. unfold whole. f_equal. f_equal.
    change (z = Qfloor (Qred (inject_Z z))). assert (E : Qeq (Qred (inject_Z z)) (inject_Z z)) by apply Qred_correct. now rewrite E, Qfloor_Z.
  Qed.
  Lemma whole_inv q : whole_value (Number q) = true -> exists z, q = whole z.
  Proof. cbn. destruct (Qc_eq_dec q _) as [E|]; [|discriminate]. eauto. Qed.
  Lemma whole_plus a b : (whole a + whole b)%Qc = whole (a + b).
  Proof. apply Qc_is_canon. change (Qeq (Qred (Qplus (Qred (inject_Z a)) (Qred (inject_Z b)))) (Qred (inject_Z (a + b)))). now rewrite !Qred_correct, inject_Z_plus. Qed.
  Lemma whole_times a b : (whole a * whole b)%Qc = whole (a * b).
  Proof. apply Qc_is_canon. change (Qeq (Qred (Qmult (Qred (inject_Z a)) (Qred (inject_Z b)))) (Qred (inject_Z (a * b)))). now rewrite !Qred_correct, inject_Z_mult. Qed.
  Lemma whole_num k v : is_whole k = true -> fits k v = true -> exists z, num v = whole z.
  Proof.
    unfold fits, is_whole. destruct k as [s' n]. cbn [sort_of may_be_null]. intros W F. destruct v as [|q| | |]; try (exists 0%Z; reflexivity). cbn in F. destruct s'; try discriminate.
    now apply whole_inv.
  Qed.
  Lemma fits_number s' v : fits (never s') v = of_sort s' v && negb (is_null v).
  Proof. unfold fits. cbn. destruct v; cbn; now rewrite ?andb_true_r, ?andb_false_r. Qed.
  Lemma sum_fits (b : bool) q : (b = true -> exists z, q = whole z) -> fits (never (if b then Wholes else Numbers)) (Number q) = true.
  Proof. intros H. destruct b; cbn; auto. destruct (H eq_refl) as [z ->]. apply whole_is_whole. Qed.
  Lemma literal_fits v : fits (literal_kinds v) v = true.
  Proof. destruct v; auto. unfold literal_kinds. destruct (whole_value (Number q)) eqn:W; [exact W|reflexivity]. Qed.
  Lemma truth_fits b : fits (never Truths) (Truth b) = true. Proof. reflexivity. Qed.
  Lemma arithmetic_fits (f : Qc -> Qc -> Qc) (F : forall a b, exists z, f (whole a) (whole b) = whole z) k l u v : fits k u = true -> fits l v = true -> fits (arithmetic_kinds k l) (arithmetic f u v) = true.
  Proof.
    unfold arithmetic_kinds, fits, sum_of_kinds. destruct k as [s1 n1], l as [s2 n2]. cbn [sort_of may_be_null]. intros A B.
    destruct u as [|q| | |], v as [|q'| | |]; cbn [arithmetic is_null] in *; try (destruct s1, s2; cbn in *; rewrite ?orb_true_r; try reflexivity; try discriminate; try (now rewrite A); try (now rewrite B); rewrite ?A, ?B, ?orb_true_r; reflexivity).
    destruct s1, s2; try reflexivity; try discriminate. apply whole_inv in A as [a ->]. apply whole_inv in B as [b ->]. destruct (F a b) as [z ->]. apply whole_is_whole.
  Qed.
  Lemma scalar_fits sc ks vs : Forall2 (fun k v => fits k v = true) ks vs -> fits (scalar_kinds sc ks) (scalar_value w sc vs) = true.
  Proof.
    intros F. destruct sc as [| |r|n k st|c| | | | |]; try (apply fits_any);
      (destruct F as [|k1 v1 ks1 vs1 A F]; [|destruct F as [|k2 v2 ks2 vs2 B F]; [|destruct F as [|k3 v3 ks3 vs3 D F]]]);
      try (apply fits_any); try (destruct r); try (destruct c); try reflexivity; try (apply fits_any); cbn [scalar_kinds scalar_value].
    - apply arithmetic_fits; auto. intros a b. rewrite whole_plus. eauto.
    - apply arithmetic_fits; auto. intros a b. rewrite whole_times. eauto.
    - unfold quotient. destruct v1, v2; try reflexivity. destruct (Qc_eq_dec _ _); reflexivity.
    - unfold quotient. destruct v1, v2; try reflexivity. destruct (Qc_eq_dec _ _); [reflexivity|apply whole_is_whole].
    - cbn [compare]. destruct (is_null v1 || is_null v2); reflexivity.
    - cbn [compare]. destruct (is_null v1 || is_null v2); reflexivity.
    - destruct v1 as [| |[]| |], v2 as [| |[]| |]; reflexivity.
    - destruct v1 as [| |[]| |], v2 as [| |[]| |]; reflexivity.
    - destruct v1 as [| |[]| |]; reflexivity.
  Qed.
  Lemma sum_summary k vs : numeric_sort (sort_of k) = true -> Forall (fun v => fits k v = true) vs -> fits (maybe (sort_of k)) (fold_right (combined Sum) Null vs) = true.
  Proof.
    intros N F. induction F as [|v vs V F IH]; [reflexivity|]. cbn [fold_right]. set (u := fold_right (combined Sum) Null vs) in *. unfold combined.
    destruct (is_null v) eqn:NV; auto. unfold fits in V. rewrite NV in V. destruct (is_null u) eqn:NU; [unfold fits; now rewrite NV|]. unfold fits in IH. rewrite NU in IH. cbn [maybe sort_of] in IH.
    destruct k as [s' n]; cbn [sort_of] in *. destruct s'; try discriminate; destruct v as [|a| | |]; try discriminate; destruct u as [|b| | |]; try discriminate; cbn [better fits is_null maybe sort_of of_sort]; auto.
    apply whole_inv in V as [x ->]. apply whole_inv in IH as [y ->]. rewrite whole_plus. apply whole_is_whole.
  Qed.
  Lemma when_fits a b k l v e : (v = mt e a /\ fits k v = true) \/ (v = mt e b /\ fits l v = true) -> fits (when_kinds a b k l) v = true.
  Proof.
    assert (J : (v = mt e a /\ fits k v = true) \/ (v = mt e b /\ fits l v = true) -> fits (join k l) v = true) by (intros [[_ H]|[_ H]]; apply join_ok; auto).
    assert (X : forall k, fits k v = true -> fits {| sort_of := sort_of k; may_be_null := true |} v = true) by (intros k0 H; unfold fits in *; cbn; destruct (is_null v); auto).
    assert (NL : forall k, v = Null -> fits {| sort_of := sort_of k; may_be_null := true |} v = true) by (intros k0 ->; reflexivity).
    intros H. unfold when_kinds.
    repeat match goal with |- context [match ?x with _ => _ end] => is_var x; destruct x; auto end; destruct H as [[H1 H]|[H1 H]]; auto; apply NL; exact H1.
  Qed.

  Lemma kinds_ok :
    (forall t g e, env_fits g e -> fits (kt g t) (mt e t) = true) /\ (forall ts g e, env_fits g e -> Forall2 (fun k v => fits k v = true) (kts g ts) (mts e ts)) /\
    (forall b g e, env_fits g e -> forall r, In r (mb e b) -> row_fits (match kb g b with Some ks => ks | None => [] end) r) /\
    (forall m g e, env_fits g e -> forall r, In r (mm e m) -> row_fits (km g m) r) /\ (forall u g e, env_fits g e -> forall r, In r (ms e u) -> row_fits (ku g u) r).
  Proof.
    apply all_i.
    - intros i c g e G. apply (G i c).
    - reflexivity.
    - intros o ts IH g e G. specialize (IH g e G). change (mt e (Apply o ts)) with (apply w named o (mts e ts)). cbn [kt].
      assert (O : fits (op_kinds o (kts g ts)) (apply w named o (mts e ts)) = true).
      { destruct o as [v| | | | | | | | | |sc|n]; cbn [op_kinds apply]; try apply fits_any; try (apply truth_fits).
        - destruct (mts e ts); apply literal_fits.
        - destruct IH as [|k v ks vs F IH]; [apply fits_any|]. destruct IH; [reflexivity|apply fits_any].
        - destruct IH as [|k v ks vs F IH]; [apply fits_any|]. destruct IH as [|k' v' ks vs F' IH]; [apply fits_any|]. destruct IH; [reflexivity|apply fits_any].
        - destruct IH as [|k v ks vs F IH]; [apply fits_any|]. destruct IH; [reflexivity|apply fits_any].
        - assert (W : forallb is_whole (kts g ts) = true -> exists z, fold_right Qcplus (whole 0) (map num (mts e ts)) = whole z).
          { induction IH as [|k v ks vs F IH IH']; [exists 0%Z; reflexivity|]. cbn [forallb map fold_right]. intros H. apply andb_prop in H as [H1 H2]. destruct (IH' H2) as [z ->]. destruct (whole_num k v H1 F) as [y ->]. rewrite whole_plus. eauto. }
          destruct (mts e ts); apply sum_fits; exact W.
        - destruct IH as [|k v ks vs F IH]; [apply fits_any|]. destruct IH as [|k' v' ks vs F' IH]; [apply fits_any|]. destruct IH; [|apply fits_any].
          apply sum_fits. intros H. apply andb_prop in H as [H1 H2]. destruct (whole_num _ _ H1 F) as [x ->]. destruct (whole_num _ _ H2 F') as [y ->]. rewrite whole_times. eauto.
        - destruct (mts e ts); apply whole_is_whole.
        - destruct (mts e ts); now apply scalar_fits. }
      assert (WH : forall c a b, mts e ts = mts e (Tc c (Tc a (Tc b Tn))) -> ts = Tc c (Tc a (Tc b Tn)) -> fits (when_kinds a b (kt g a) (kt g b)) (if is_true (mt e c) then mt e a else mt e b) = true).
      { intros c a b _ ->. inversion IH as [|? ? ? ? _ F1]; subst. inversion F1 as [|? ? ? ? A F2]; subst. inversion F2 as [|? ? ? ? B _]; subst. apply (when_fits a b _ _ _ e). destruct (is_true (mt e c)); auto. }
      destruct o as [v| | | | | | | | | |sc|n]; try exact O.
      + destruct ts as [|c [|a [|b [|]]]]; try exact O. exact (WH c a b eq_refl eq_refl).
      + destruct sc; try exact O. destruct ts as [|c [|a [|b [|]]]]; try exact O. exact (WH c a b eq_refl eq_refl).
    - reflexivity.
    - intros b IH g e G. specialize (IH g e G). cbn [kt]. change (mt e (Total b)) with (Number (qsum (map weight (mb e b)))). apply sum_fits. intros H.
      induction (mb e b) as [|r l IHl]; [exists 0%Z; reflexivity|]. destruct IHl as [z E]; [intros; apply IH; now right|]. cbn [map]. unfold qsum in *. cbn [fold_right]. rewrite E.
      destruct (whole_num _ (hd Null r) H) as [y Y]; [specialize (IH r (or_introl eq_refl) 0); now destruct r|]. unfold weight at 1. rewrite Y, whole_plus. eauto.
    - intros f b IH g e G. specialize (IH g e G). cbn [kt]. set (k := kind_at _ 0) in *. change (mt e (Summary f b)) with (folded w f (mb e b)).
      assert (H : Forall (fun v => fits k v = true) (map (hd Null) (mb e b))).
      { apply Forall_map, Forall_forall. intros r R. specialize (IH r R 0). now destruct r. }
      assert (M : forall v, fits k v = true \/ v = Null -> fits {| sort_of := sort_of k; may_be_null := true |} v = true) by (intros v [X| ->]; [unfold fits in *; cbn; destruct (is_null v); auto|reflexivity]).
      destruct f as [[| | | |n]|]; cbn [folded summary]; try apply fits_any.
      + apply whole_is_whole.
      + destruct (numeric_sort (sort_of k)) eqn:N; [|apply fits_any]. now apply sum_summary.
      + apply M. destruct (extremum_of Least (map (hd Null) (mb e b)) eq_refl) as [[->|[I _]] _]; auto. left. exact (proj1 (Forall_forall _ _) H _ I).
      + apply M. destruct (extremum_of Greatest (map (hd Null) (mb e b)) eq_refl) as [[->|[I _]] _]; auto. left. exact (proj1 (Forall_forall _ _) H _ I).
      + apply M. destruct (mb e b) as [|r [|]]; auto. left. now inversion H.
    - constructor.
    - intros t H ts H0 g e G. cbn [kts]. change (mts e (Tc t ts)) with (mt e t :: mts e ts). constructor; auto.
    - intros g e G r [].
    - intros m IHm b IHb g e G r R. change (mb e (Bc m b)) with (mm e m ++ mb e b) in R. apply in_app_or in R.
      destruct b as [|m' b']; [destruct R as [R|[]]; now apply (IHm g e)|]. change (kb g (Bc m (Bc m' b'))) with (Some (match kb g (Bc m' b') with Some ks => joins (km g m) ks | None => km g m end)).
      specialize (IHb g e G r). destruct R as [R|R].
      + specialize (IHm g e G r R). destruct (kb g (Bc m' b')); auto. apply joins_ok. now left.
      + specialize (IHb R). destruct (kb g (Bc m' b')) eqn:K; [apply joins_ok; now right|]. cbn in K. destruct b'; discriminate.
    - intros u IHu m IHm g e G r R. change (mm e (Take u m)) with (flat_map (fun r => mm (push r e) m) (ms e u)) in R. apply in_flat_map in R as (x & X & R).
      cbn [km]. apply (IHm _ (push x e)); auto. apply env_fits_push; auto. now apply (IHu g e).
    - intros c IHc h IHh g e G r R. change (mm e (Give c h)) with (if is_true (mt e c) then [mts e h] else []) in R. destruct (is_true _); [destruct R as [<-|[]]|destruct R].
      specialize (IHh g e G). cbn [km]. intros i. unfold kind_at. clear -IHh. revert i; induction IHh; intros [|i]; cbn; auto; apply fits_any.
    - intros t g e G r R. cbn [ku]. unfold table_kinds. destruct (find _ s) as [[t' cs]|] eqn:F; [|apply row_fits_nil]. apply find_some in F as [F1 F2]. apply String.eqb_eq in F2. cbn in F2. subst t'.
      pose proof (C t cs r F1 R) as X. cbn [snd]. clear -X. intros i. unfold kind_at. revert i. induction X as [|c v cs r A X IH]; intros [|i]; cbn [map nth]; auto; try apply fits_any.
      unfold admits in A. unfold fits, column_kinds. cbn [may_be_null sort_of]. destruct A as [[-> N]|A]; [exact N|]. destruct (type c), v; cbn in *; auto; discriminate.
    - intros b IH g e G r R. change (ms e (Support b)) with (nodup row_eq_dec (mb e b)) in R. apply nodup_In in R. cbn [ku]. now apply (IH g e).
    - intros n b IH g e G r R. apply row_fits_nil.
  Qed.
  (** The kinds of the rows of a branch. *)
  Fixpoint row_kinds (g : list (list kinds)) (rows : list source) : list (list kinds) := match rows with [] => g | u :: rows => row_kinds (ku g u :: g) rows end.
  Lemma row_kinds_ok rows : forall g e a, env_fits g e -> In a (choices w blocks named e rows) -> env_fits (row_kinds g rows) a.
  Proof.
    induction rows as [|u rows IH]; intros g e a G A; cbn [row_kinds Normal.choices] in *; [destruct A as [<-|[]]; auto|]. apply in_flat_map in A as (r & R & A).
    apply (IH _ (push r e)); auto. apply env_fits_push; auto. exact (proj2 (proj2 (proj2 (proj2 kinds_ok))) u g e G r R).
  Qed.
End Kinds.
